import { nameFramework, nameRuntime, orderFrameworks } from '../../lib/name-framework.ts';
import { Choice } from '../../parts/choice.tsx';
import { Picker } from '../../parts/picker/picker.tsx';
import type { Detected } from './settings-rules.ts';

interface FrameworkChoiceProps {
  detected: Detected | null;
  frameworks: readonly string[];
  /** Empty: what was found. */
  framework: string;
  onFramework: (slug: string) => void;
}

/** What was found, unless somebody knows better. */
export function FrameworkChoice({ detected, frameworks, framework, onFramework }: FrameworkChoiceProps) {
  const nameOf = (slug: string) => (slug === '' ? sayFound(detected) : nameFramework(slug));
  return (
    <>
      <input type="hidden" name="framework" value={framework} />
      <Choice label="Framework" value={nameOf(framework)} hint={framework !== '' && `Found was: ${sayFound(detected)}`}>
        {(onChosen) => (
          <Picker
            label="Framework"
            items={['', ...orderFrameworks(frameworks)]}
            nameOf={nameOf}
            chosen={nameOf(framework)}
            onPick={(slug) => {
              onFramework(slug);
              onChosen();
            }}
            autoFocus
          />
        )}
      </Choice>
    </>
  );
}

function sayFound(detected: Detected | null): string {
  if (!detected) return 'Whatever the build finds';
  const { framework, runtime } = detected;
  if (framework) return `${nameFramework(framework)} (found)`;
  return runtime ? `${nameRuntime(runtime)} without a framework (found)` : 'Plain files (found)';
}
