import { type ComponentProps, type RefObject, useImperativeHandle } from 'react';
import { useLeavingFocus } from '../lib/use-leaving-focus.ts';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  look?: ButtonLook;
  isBusy?: boolean;
  /** Has the focus when the button goes with it, where that is not what stands nearest. */
  heir?: RefObject<HTMLElement | null>;
}

/**
 * What is busy or disabled stays focusable, so that keyboard users keep their place; what goes leaves it to what is
 * nearest.
 */
export function Button({
  look = 'plain',
  isBusy = false,
  disabled = false,
  type = 'button',
  heir,
  onClick,
  ref,
  ...rest
}: ButtonProps) {
  const button = useLeavingFocus(heir);
  useImperativeHandle(ref, () => button.current!, [button]);
  const isOff = isBusy || disabled;
  return (
    <button
      ref={button}
      type={type === 'submit' ? 'submit' : 'button'}
      className={`button button-${look}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isOff || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}
