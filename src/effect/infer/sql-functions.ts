/** Functions of databases, by whether a query that calls them does more than look. */

/** Functions that act when they are selected. */
export const ACTING: RegExp =
  /^(?:pg_(?:terminate|cancel)_\w+|pg_(?:read|write|reload|rotate|switch|promote)\w*|lo_\w+|dblink\w*|setval|nextval|xp_\w+|sp_\w+|load_\w+|sys_\w+|query_to_xml\w*|(?:delete|drop|purge|remove|truncate|destroy|erase|wipe|kill|terminate|cancel|revoke|grant|pay|transfer|refund|send|exec|execute|insert|update|set|http)_\w+)$/;

/** What may stand before a bracket: functions that only compute, types and keywords. Others may be the database's own. */
export const COMPUTING: ReadonlySet<string> = new Set(
  `count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr median mode bool_and bool_or every
  bit_and bit_or any_value countif count_if approx_count_distinct grouping
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value percentile_cont
  percentile_disc
  coalesce nullif ifnull isnull nvl nvl2 iff if greatest least cast try_cast safe_cast convert try_convert typeof
  lower upper initcap length len char_length character_length octet_length trim ltrim rtrim btrim substr substring
  replace translate concat concat_ws repeat reverse left right lpad rpad split_part strpos position instr locate
  charindex patindex overlay ascii chr char format printf to_hex hex unhex encode starts_with ends_with similarity
  soundex levenshtein regexp_replace regexp_match regexp_matches regexp_like regexp_substr regexp_count regexp_instr
  regexp_extract regexp_contains regexp_split_to_array regexp_split_to_table string_to_array array_to_string
  md5 sha1 sha2 sha224 sha256 sha384 sha512 crc32 random rand gen_random_uuid uuid newid
  abs ceil ceiling floor round trunc mod power pow sqrt cbrt exp ln log log2 log10 sign pi sin cos tan asin acos atan
  atan2 radians degrees width_bucket safe_divide div
  now date time datetime timestamp date_trunc date_part date_format date_add date_sub date_diff date_bin dateadd
  datediff datepart datename extract strftime to_char to_date to_timestamp to_number to_varchar str_to_date getdate
  curdate curtime current_date current_time current_timestamp localtimestamp year month day week hour minute second
  quarter weekday dayofweek dayofmonth dayofyear last_day eomonth add_months months_between timestampdiff timestampadd
  timestamp_trunc datetime_trunc unix_timestamp from_unixtime unixepoch julianday age make_date make_timestamp interval
  current_database current_schema current_schemas current_user session_user user database schema version
  json_extract json_value json_query json_unquote json_build_object json_build_array json_object json_array json_agg
  json_array_length json_array_elements json_array_elements_text json_each json_each_text json_object_keys json_type
  json_valid jsonb_agg jsonb_object_agg jsonb_build_object jsonb_build_array jsonb_array_length jsonb_array_elements
  jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys jsonb_extract_path jsonb_extract_path_text
  jsonb_path_query jsonb_path_exists jsonb_typeof jsonb_pretty to_json to_jsonb row_to_json
  array_agg array_length array_position array_remove array_append array_cat cardinality unnest generate_series
  string_agg group_concat listagg
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_headline
  pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_database_size pg_get_viewdef
  pg_get_functiondef pg_get_indexdef pg_get_constraintdef format_type obj_description col_description to_regclass
  id labels type keys size collect head tail nodes relationships tostring tointeger toupper tolower
  table_info table_xinfo index_list index_info foreign_key_list
  varchar nvarchar char nchar character decimal numeric float int integer bigint bit varying
  over partition exists in any all some not and or as case when then else distinct from where on join using values
  having filter within lateral materialized like ilike between limit offset with by select union intersect except
  match against return`.split(/\s+/),
);
