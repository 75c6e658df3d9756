/** Joins several scores of the same candidates into one. Pure. */

export const FUSIONS = ['rrf', 'dbsf'] as const;
/** By rank (reciprocal rank fusion), or by how far a score is from the average (distribution-based). */
export type Fusion = (typeof FUSIONS)[number];

/** Each list has one score for each candidate. */
export function fuse(fusion: Fusion, lists: readonly (readonly number[])[]): readonly number[] {
  const parts = lists.map((scores) => (fusion === 'rrf' ? byRank(scores) : byDistribution(scores)));
  const [first = []] = lists;
  return first.map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
}

/** Damps the difference between the first ranks, as usual. */
const RANK_CONSTANT = 60;

/** Equal scores have equal ranks. */
function byRank(scores: readonly number[]): readonly number[] {
  const order = [...new Set(scores)].toSorted((a, b) => b - a);
  return scores.map((score) => 1 / (RANK_CONSTANT + order.indexOf(score) + 1));
}

/** From 0 at three standard deviations below the average to 1 at three above. */
function byDistribution(scores: readonly number[]): readonly number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const variance =
    scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length);
  const deviation = Math.sqrt(variance);
  if (deviation === 0) return scores.map(() => 0.5);
  return scores.map((score) => (score - (mean - 3 * deviation)) / (6 * deviation));
}
