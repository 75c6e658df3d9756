/**
 * What descriptions in ten languages say of harm: that something is replaced as a whole, deleted for good or
 * cannot be undone, and that it costs money. What is denied right before it does not count.
 */
import type { Act } from '../act.ts';

type ForeignPhrase = readonly [act: Act, pattern: RegExp];

/** By language: Chinese, Japanese, Korean, Russian, Spanish, Portuguese, French, German, Italian, Turkish. */
const LOST = [
  '不可(?:逆|恢复|撤销|撤回)|(?:无法|不能)(?:恢复|撤销|撤回)|(?:永久|彻底)(?:删除|移除|清除)|(?:将|会)(?:被)?(?:删除|清空|丢失)',
  '元に戻せ(?:ません|ない)|取り消せ(?:ません|ない)|復元でき(?:ません|ない)|完全に削除|不可逆',
  '되돌릴 수 없|복구할 수 없|영구(?:적으로)? ?삭제',
  'необратим|безвозвратно|навсегда удал|нельзя (?:отменить|восстановить)|невозможно (?:отменить|восстановить)',
  'no se puede (?:deshacer|revertir|recuperar)|irreversible|(?:elimina|borra)\\w* (?:permanente|definitiva)mente',
  'não pode ser (?:desfeit|revertid|recuperad)|irreversível|(?:exclui|apaga|remove)\\w* (?:permanente|definitiva)mente',
  'ne peut (?:pas )?être (?:annulé|restauré|récupéré)|irréversible|supprim\\w+ définitivement|définitivement supprim',
  'nicht rückgängig|unwiderruflich|(?:endgültig|dauerhaft) (?:ge)?lösch',
  'non può essere annullat|irreversibil|elimina\\w* (?:definitiva|permanente)mente',
  'geri alınamaz|kalıcı olarak sil',
];
const REPLACED = [
  '(?:完全|整个|全部|整体)(?:替换|覆盖)|覆盖(?:现有|原有|已有|全部|所有|旧)',
  '(?:完全に|すべて|全体を)(?:置き換え|上書き)|既存の\\S{0,12}(?:上書き|置き換え)',
  '(?:전체|기존)\\S{0,6} ?\\S{0,8} ?(?:교체|덮어)',
  '(?:полностью|целиком) (?:заменя|замени|перезапис)|перезапис(?:ывает|ать|ыва\\S+) (?:существующ|текущ|вс)',
  '(?:reemplaza|sobrescribe|sustituye)\\w* (?:todo|toda|por completo|completamente|el contenido|la configuración)',
  '(?:substitui|sobrescreve)\\w* (?:todo|toda|completamente|totalmente|o conteúdo|a configuração)',
  '(?:remplace|écrase)\\w* (?:entièrement|complètement|tout|toute|le contenu|la configuration)',
  'überschreib\\w+|ersetzt (?:vollständig|komplett|den gesamten|die gesamte|das gesamte|alle)',
  '(?:sostituisc|sovrascriv)\\w+ (?:completamente|interamente|tutt|il contenuto|la configurazione)',
  'tamamen değiştir|üzerine yaz',
];
const BILLED = [
  '(?:会|将)?产生费用|扣费|扣款|计费',
  '料金が(?:発生|かかり)|課金され',
  '요금이 (?:부과|발생)|비용이 발생',
  'взимается плата|списыва(?:ет|ются) (?:средства|деньги)|платн(?:ый|ая) запрос',
  '(?:genera|tiene|incurre en) (?:costos|costes|cargos)|se cobra',
  '(?:gera|incorre em) (?:custos|cobranças)|será cobrad',
  'entraîne des (?:frais|coûts)|sera facturé|payant',
  'kostenpflichtig|verursacht kosten',
  '(?:comporta|genera) (?:costi|addebiti)|a pagamento',
  'ücretlendirilir|ücrete tabi',
];

export const FOREIGN_PHRASES: readonly ForeignPhrase[] = [
  ['delete', toPattern(LOST)],
  ['put', toPattern(REPLACED)],
  ['spend', toPattern(BILLED)],
];

/** Words that negate what follows them at once, or after one more word. */
export const FOREIGN_DENIALS: RegExp =
  /(?:不|不会|未|没有|(?<!\p{L})(?:не|без|no|sin|não|sem|ne|sans|nicht|ohne|keine?|non|senza)\s+(?:\p{L}+\s+)?)$/iu;

function toPattern(texts: readonly string[]): RegExp {
  return new RegExp(texts.join('|'), 'iu');
}
