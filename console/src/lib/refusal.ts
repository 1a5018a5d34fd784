/** What the page itself does not accept, in words for whoever filled it in: nothing was asked of the platform. */
export class Refusal extends Error {
  override name = 'Refusal';
}
