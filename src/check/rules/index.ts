/** Every rule, by name. A test compares it with the folders, and each folder with its page. */
import type { Rule } from '../rule.ts';
import { rule as annotationsMissing } from './annotations-missing/rule.ts';
import { rule as annotationsNotObject } from './annotations-not-object/rule.ts';
import { rule as catchAll } from './catch-all/rule.ts';
import { rule as descriptionDuplicate } from './description-duplicate/rule.ts';
import { rule as descriptionInjects } from './description-injects/rule.ts';
import { rule as descriptionMissing } from './description-missing/rule.ts';
import { rule as descriptionNamesOtherTools } from './description-names-other-tools/rule.ts';
import { rule as destructiveOverstated } from './destructive-overstated/rule.ts';
import { rule as destructiveUnsetOnRead } from './destructive-unset-on-read/rule.ts';
import { rule as destructiveUntrue } from './destructive-untrue/rule.ts';
import { rule as drift } from './drift/rule.ts';
import { rule as driftMild } from './drift-mild/rule.ts';
import { rule as driftNew } from './drift-new/rule.ts';
import { rule as effectByArgument } from './effect-by-argument/rule.ts';
import { rule as filenameOnRead } from './filename-on-read/rule.ts';
import { rule as freeTextPower } from './free-text-power/rule.ts';
import { rule as hiddenCharacters } from './hidden-characters/rule.ts';
import { rule as hintMissing } from './hint-missing/rule.ts';
import { rule as hintNotBoolean } from './hint-not-boolean/rule.ts';
import { rule as hintWithoutMeaning } from './hint-without-meaning/rule.ts';
import { rule as conventionClosient } from './convention-closient/rule.ts';
import { rule as conventionEpd } from './convention-epd/rule.ts';
import { rule as conventionGeopera } from './convention-geopera/rule.ts';
import { rule as conventionNextcloud } from './convention-nextcloud/rule.ts';
import { rule as idempotentMissing } from './idempotent-missing/rule.ts';
import { rule as idempotentUnderstated } from './idempotent-understated/rule.ts';
import { rule as idempotentUntrue } from './idempotent-untrue/rule.ts';
import { rule as listGrowing } from './list-growing/rule.ts';
import { rule as listSize } from './list-size/rule.ts';
import { rule as nameCollides } from './name-collides/rule.ts';
import { rule as nameDuplicate } from './name-duplicate/rule.ts';
import { rule as nameInvalid } from './name-invalid/rule.ts';
import { rule as nameLong } from './name-long/rule.ts';
import { rule as openWorldMissing } from './open-world-missing/rule.ts';
import { rule as openWorldUntrue } from './open-world-untrue/rule.ts';
import { rule as parameterUndescribed } from './parameter-undescribed/rule.ts';
import { rule as parameterVague } from './parameter-vague/rule.ts';
import { rule as readOnlyAndDestructive } from './read-only-and-destructive/rule.ts';
import { rule as readOnlyUnderstated } from './read-only-understated/rule.ts';
import { rule as readOnlyUntrue } from './read-only-untrue/rule.ts';
import { rule as schemaDeepOrLarge } from './schema-deep-or-large/rule.ts';
import { rule as schemaNetworkRef } from './schema-network-ref/rule.ts';
import { rule as schemaRoot } from './schema-root/rule.ts';
import { rule as scopeHidden } from './scope-hidden/rule.ts';
import { rule as secretUnmarked } from './secret-unmarked/rule.ts';
import { rule as shareUnmarked } from './share-unmarked/rule.ts';
import { rule as spendUnmarked } from './spend-unmarked/rule.ts';
import { rule as spendWithoutEstimate } from './spend-without-estimate/rule.ts';
import { rule as spendWithoutKey } from './spend-without-key/rule.ts';
import { rule as tierMetaUntrue } from './tier-meta-untrue/rule.ts';
import { rule as titleDiffers } from './title-differs/rule.ts';
import { rule as titleEqualsName } from './title-equals-name/rule.ts';
import { rule as titleMissing } from './title-missing/rule.ts';
import { rule as titleNotString } from './title-not-string/rule.ts';
import { rule as toolNotObject } from './tool-not-object/rule.ts';
import { rule as versionAgainstIdempotent } from './version-against-idempotent/rule.ts';

export const RULES: readonly Rule[] = Object.freeze([
  annotationsMissing,
  annotationsNotObject,
  catchAll,
  descriptionDuplicate,
  descriptionInjects,
  descriptionMissing,
  descriptionNamesOtherTools,
  destructiveOverstated,
  destructiveUnsetOnRead,
  destructiveUntrue,
  drift,
  driftMild,
  driftNew,
  effectByArgument,
  filenameOnRead,
  freeTextPower,
  hiddenCharacters,
  hintMissing,
  hintNotBoolean,
  hintWithoutMeaning,
  conventionClosient,
  conventionEpd,
  conventionGeopera,
  conventionNextcloud,
  idempotentMissing,
  idempotentUnderstated,
  idempotentUntrue,
  listGrowing,
  listSize,
  nameCollides,
  nameDuplicate,
  nameInvalid,
  nameLong,
  openWorldMissing,
  openWorldUntrue,
  parameterUndescribed,
  parameterVague,
  readOnlyAndDestructive,
  readOnlyUnderstated,
  readOnlyUntrue,
  schemaDeepOrLarge,
  schemaNetworkRef,
  schemaRoot,
  scopeHidden,
  secretUnmarked,
  shareUnmarked,
  spendUnmarked,
  spendWithoutEstimate,
  spendWithoutKey,
  tierMetaUntrue,
  titleDiffers,
  titleEqualsName,
  titleMissing,
  titleNotString,
  toolNotObject,
  versionAgainstIdempotent,
]);
