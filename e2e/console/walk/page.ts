/** Handed to the page as its text: nothing here may use what is not here. */

/** A way through the page, from one thing that takes the focus to the next. */
export interface Walk {
  /** As many presses as are surely enough. */
  most: number;
  /** Whether the focus is back where it was first. */
  isRound(): boolean;
  /** Ends it, and says what keeps somebody who has no mouse. */
  judge(): string[];
}

/** Where the focus was after a press, and how that looked then. */
interface Stop {
  element: Element;
  isShown: boolean;
  isInSight: boolean;
  /** Above where it was before, and not in a column to the right either. */
  isBack: boolean;
}

/** Every key that is pressed notes where the one before has led to: by then the page has scrolled there. */
function createWalk(): Walk {
  const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const controls = controlsIn(scope);
  // It goes on from there all the same.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const resting = new Map([...document.querySelectorAll('*')].map((each) => [each, ringOf(each)]));
  const noted: Stop[] = [];
  const note = () => noted.push(stopAt(document.activeElement ?? document.body, noted.at(-1)?.element, resting));
  addEventListener('keydown', note, true);
  return {
    most: 2 * controls.length + 30,
    isRound: () => lengthOfRound(noted.slice(1)) >= 0,
    judge() {
      note();
      removeEventListener('keydown', note, true);
      return judge(scope, controls, noted.slice(1));
    },
  };
}

function stopAt(element: Element, before: Element | undefined, resting: ReadonlyMap<Element, string>): Stop {
  // A label may be drawn around what is too small to be.
  const beside = [element.previousElementSibling, element.nextElementSibling];
  const around = [element, element.parentElement, element.parentElement?.parentElement, ...beside];
  const ringed = around.find((each) => each && ringOf(each) !== (resting.get(each) ?? 'none none'));
  return {
    element,
    isShown: Boolean(ringed),
    isInSight: isInSight(ringed ?? element),
    isBack: before !== undefined && isAbove(element, before),
  };
}

function ringOf(element: Element): string {
  const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
  const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px';
  return `${hasOutline ? `${outlineStyle} ${outlineWidth} ${outlineColor}` : 'none'} ${boxShadow}`;
}

function isInSight(element: Element): boolean {
  const { left, right, top, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const seen = document.elementFromPoint(x, y);
  const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return isInWindow && seen !== null && (element.contains(seen) || seen.contains(element));
}

function isAbove(element: Element, before: Element): boolean {
  const [here, there] = [element.getBoundingClientRect(), before.getBoundingClientRect()];
  if (here.width * here.height * there.width * there.height === 0) return false;
  return here.bottom <= there.top + 1 && here.left < there.right - 1;
}

/** How many stops there are before the first one comes again; -1 where it did not. */
function lengthOfRound(stops: readonly Stop[]): number {
  const first = stops[0]?.element;
  const left = stops.findIndex(({ element }) => element !== first);
  return left < 0 ? -1 : stops.findIndex(({ element }, index) => index > left && element === first);
}

function judge(scope: Element, controls: readonly Element[], stops: readonly Stop[]): string[] {
  const length = lengthOfRound(stops);
  const nowhere: readonly Element[] = [document.body, document.documentElement];
  const round = (length < 0 ? stops : stops.slice(0, length)).filter(({ element }) => !nowhere.includes(element));
  const reached = new Set(round.map(({ element }) => element));
  // The end leads to the beginning.
  const first = [...reached].toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0];
  const elementsOf = (isWrong: (stop: Stop) => boolean) => round.filter(isWrong).map(({ element }) => element);
  const found: Record<string, Element[]> = {
    'not reached by Tab': controls.filter((each) => !isReached(each, reached)),
    'no sign that it has the focus': elementsOf(({ isShown }) => !isShown),
    'has the focus out of sight': elementsOf(({ isInSight: isSeen }) => !isSeen),
    'comes after what stands below it': elementsOf(({ element, isBack }) => isBack && element !== first),
    'takes the focus out of the dialog': elementsOf(({ element }) => !scope.contains(element)),
    'does not let the focus go': reached.size > 1 && length < 0 ? [round.at(-1)!.element] : [],
  };
  return Object.entries(found).flatMap(([what, elements]) =>
    [...new Set(elements)].map((each) => `${what}: ${nameOf(each)}`),
  );
}

function comesAfter(element: Element, before: Element): boolean {
  return (before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Whatever does something when it is clicked, and is there to be clicked. */
function controlsIn(scope: Element): Element[] {
  const natural = 'a[href], button, input, select, textarea, summary, [role=button], [role=option], [role=tab]';
  return [...scope.querySelectorAll('*')].filter(
    (each) => (each.matches(natural) || answersClicks(each)) && !each.matches('dialog, :disabled') && isThere(each),
  );
}

/** What React keeps of an element at it. */
function answersClicks(element: Element): boolean {
  const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'));
  const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]!;
  return ['onClick', 'onMouseDown', 'onPointerDown'].some((name) => typeof props[name] === 'function');
}

function isThere(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && width * height > 0;
}

/** By Tab itself, or by the other keys that work where Tab leads to. */
function isReached(control: Element, reached: ReadonlySet<Element>): boolean {
  if (reached.has(control) || !isThere(control)) return true;
  const all = [...reached];
  if (control instanceof HTMLInputElement && control.type === 'radio')
    return all.some((each) => each instanceof HTMLInputElement && each.name === control.name);
  if (control.matches('[role=option]')) {
    const list = control.closest('[role=listbox]')?.id;
    return all.some((each) => each.getAttribute('aria-controls') === list);
  }
  const whole = control.matches('[tabindex="-1"]') ? '[tabindex="0"]' : 'a, button, summary';
  return all.some((each) => each.matches(whole) && each.contains(control));
}

function nameOf(element: Element): string {
  const words = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  return `${element.tagName.toLowerCase()}.${element.className} "${words.slice(0, 40)}"`;
}

const parts = [
  createWalk,
  stopAt,
  ringOf,
  isInSight,
  isAbove,
  lengthOfRound,
  judge,
  comesAfter,
  controlsIn,
  answersClicks,
  isThere,
  isReached,
  nameOf,
];

/** Evaluates to a `Walk` that has begun. */
export const walkScript = `(() => { ${parts.map(String).join('\n')}\nreturn createWalk(); })()`;
