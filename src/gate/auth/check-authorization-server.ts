/**
 * What an authorization server that a foreign server named must show before anybody signs in there. The
 * SDK compares issuers and resources; this closes what its leniency leaves open. Pure.
 */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';

/** Throws with a message for the person. */
export function checkAuthorizationServer({
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
