import { Icon } from '../parts/icon.tsx';
import { chooseTheme, themes, useTheme } from './theme.ts';

/** One press, one theme further. */
export function ThemeButton() {
  const theme = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <button
      type="button"
      title={`Theme: ${theme}`}
      aria-label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => chooseTheme(next)}
    >
      <Icon name="theme" />
      <span>Theme: {theme}</span>
    </button>
  );
}
