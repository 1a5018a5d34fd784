/** There is neither a session nor a token. */
export class NotSignedIn extends Error {
  constructor(apiUrl: string) {
    super(`You are not signed in at ${apiUrl}.\nSign in with "lilac login", or set LILAC_TOKEN to an API key.`);
  }
}
