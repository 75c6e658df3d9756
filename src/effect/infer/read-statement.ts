/** Whether a text of SQL or GraphQL only looks. Anything that is not known to is not taken for a read. */

const LOOKS =
  /^(?:select|with|show|desc|describe|explain|values|table|use|match|return|unwind|optional|help|begin|commit|rollback|end|pragma\s+(?:table_x?info|table_list|index_list|index_info|foreign_key_list|database_list))\b/i;
/** Anywhere: not every dialect ends a statement with a semicolon, and a reading one can hold others. */
const CHANGES =
  /\b(?:(?:insert|update|delete|drop|alter|create|truncate|grant|revoke|merge|upsert|into|exec|execute|shutdown|detach|remove|foreach)\b|(?:replace|backup|restore|kill|call|do|copy)\s+\w|load\s+(?:csv|data)|set\s+\w+\s*[.:+=])/i;
/** Functions that act when they are selected. */
const ACTING =
  /\b(?:pg_(?:terminate|cancel)_\w+|pg_(?:read|write|reload|rotate|switch|promote)\w*|lo_\w+|dblink\w*|setval|nextval|xp_\w+|sp_\w+|load_\w+|sys_\w+|query_to_xml\w*|(?:delete|drop|purge|remove|truncate|destroy|erase|wipe|kill|terminate|cancel|revoke|grant|pay|transfer|refund|send|exec|execute|insert|update|set|http)_\w+)\s*\(/i;
const COMMENTS = /^(?:\s|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!)[\s\S]*?\*\/|\()+/;
/** Where one of these occurs, dialects disagree on where a string ends. */
const CONFUSES_STRINGS = /["`#\\$]|--|\/\*/;

export function isReadingStatement(text: string): boolean {
  const bare = withoutStrings(text);
  return (
    !CHANGES.test(bare) &&
    !ACTING.test(bare) &&
    bare.split(';').every((part) => {
      const statement = part.replace(COMMENTS, '').trim();
      return statement === '' || LOOKS.test(statement);
    })
  );
}

/** Without the contents of its strings, if every dialect finds the same ones. */
function withoutStrings(text: string): string {
  const bare = text.replaceAll(/'[^']*'/g, ' ');
  return CONFUSES_STRINGS.test(text) ? text : bare;
}

/** A GraphQL document with an operation that changes something. */
export function isMutation(text: string): boolean {
  return text
    .split('{')
    .slice(0, -1)
    .some((part) => /(?:^|\s)mutation\b/.test(part.slice(part.lastIndexOf('}') + 1)));
}
