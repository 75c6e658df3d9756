/** The part of digital-link.js that this example calls; the package has no types. */
declare module 'digital-link.js' {
  type Pairs = Readonly<Record<string, string>>;

  interface Link {
    getIdentifier(): Pairs;
    getKeyQualifier(key: string): string | undefined;
    isValid(): boolean;
    toWebUriString(): string;
  }

  interface LinkInput {
    readonly domain: string;
    readonly identifier: Pairs;
    readonly keyQualifiers: Pairs;
    readonly attributes: Pairs;
  }

  const library: {
    readonly DigitalLink: (input: string | LinkInput) => Link;
    readonly Utils: { readonly testRule: (rule: string, value: string) => boolean };
  };
  export default library;
}
