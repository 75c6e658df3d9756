/**
 * What the SDK's sign-in flow asks of its client, answered from the token file. Lives for one flow:
 * the PKCE verifier, the state and what was discovered are held here and written nowhere.
 */
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isSafeUrl } from '../../lib/is-safe-url.ts';
import type { OAuthConfig } from '../config/gate-config.ts';
import type { ServerTokens, TokenStore } from './token-store.ts';
import { toServerTokens } from './token-store.ts';

interface ProviderOptions {
  readonly serverUrl: string;
  readonly store: TokenStore;
  readonly redirectUrl: string;
  /** Random, and for one flow only. */
  readonly state: string;
  /** Puts the sign-in page before the person. */
  readonly show: (url: URL) => void;
  readonly oauth?: OAuthConfig;
  readonly now?: () => Date;
}

export class FileOAuthProvider implements OAuthClientProvider {
  readonly #options: ProviderOptions;
  readonly clientMetadataUrl?: string;
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #resource: string | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const url = options.oauth?.clientMetadataUrl;
    if (url !== undefined) this.clientMetadataUrl = url;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const scope = this.#options.oauth?.scopes?.join(' ');
    return {
      client_name: 'Plimsoll gate',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && scope !== '' && { scope }),
    };
  }

  state(): string {
    return this.#options.state;
  }

  async clientInformation(ctx?: {
    issuer: string;
  }): Promise<StoredOAuthClientInformation | undefined> {
    const clientId = this.#options.oauth?.clientId;
    // Registered by hand, at whichever authorization server the operator's server names.
    if (clientId !== undefined) return { client_id: clientId, ...ctx };
    const client = (await this.#read())?.client;
    if (client === undefined || !('redirect_uris' in client)) return client;
    // Registered with a port of an earlier flow, which few authorization servers overlook.
    return client.redirect_uris.includes(this.redirectUrl) ? client : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.#update((before) => ({ ...before, client }));
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#read())?.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { now = () => new Date() } = this.#options;
    const client = await this.clientInformation(
      tokens.issuer === undefined ? undefined : { issuer: tokens.issuer },
    );
    const authorizationServer = this.#discovery?.authorizationServerUrl;
    const resource = this.#resource;
    await this.#update((before) => ({
      ...(client === undefined ? before : { client }),
      ...toServerTokens(tokens, now()),
      ...(authorizationServer !== undefined && { authorizationServer }),
      ...(resource !== undefined && { resource }),
    }));
    this.#verifier = undefined;
  }

  redirectToAuthorization(url: URL): void {
    // The address comes from a foreign server and ends up in a browser.
    if (!isSafeUrl(url) || url.username !== '' || url.password !== '') {
      throw new Error(
        'the sign-in page is neither plain https nor on this machine; it is not opened',
      );
    }
    this.#options.show(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error('no sign-in is under way');
    return this.#verifier;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    checkAuthorizationServer(state);
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(
    scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery',
  ): Promise<void> {
    if (scope === 'verifier' || scope === 'all') this.#verifier = undefined;
    if (scope === 'discovery' || scope === 'all') this.#discovery = undefined;
    if (scope === 'verifier' || scope === 'discovery') return;
    await this.#update(({ client, ...before }) => {
      if (scope === 'client') return before;
      return scope === 'tokens' && client !== undefined ? { client } : undefined;
    });
  }

  async #read(): Promise<ServerTokens | undefined> {
    return await this.#options.store.read(this.#options.serverUrl);
  }

  async #update(work: (before: ServerTokens) => ServerTokens | undefined): Promise<void> {
    await this.#options.store.update(this.#options.serverUrl, work);
  }
}

/** Throws with a message for the person. */
function checkAuthorizationServer({
  authorizationServerMetadata: metadata,
}: OAuthDiscoveryState): void {
  if (metadata === undefined) {
    throw new Error('the authorization server has no metadata, so nothing it says can be compared');
  }
  const { issuer, authorization_endpoint: page } = metadata;
  // A server that says nothing of PKCE may ignore it; then a stolen code is as good as a token.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new Error('the authorization server does not support PKCE with S256');
  }
  const isElsewhere = new URL(page).origin !== new URL(issuer).origin;
  if (isElsewhere && metadata.authorization_response_iss_parameter_supported !== true) {
    // Somebody else's page, whose code would go to this one's token endpoint.
    throw new Error(
      `the sign-in page is at ${new URL(page).origin}, and nothing shows that it belongs to ${issuer}`,
    );
  }
}
