/** What Safari says of the key that ends a composition, which is over for it by then. */
const HANDLED_BY_INPUT_METHOD = 229;

/** Whether a key chooses among what an input method offers: it is not meant for the page. */
export function isComposing({ isComposing: isUnderWay, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) {
  return isUnderWay || keyCode === HANDLED_BY_INPUT_METHOD;
}
