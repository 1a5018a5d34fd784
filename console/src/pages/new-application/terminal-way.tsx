import '../applications/applications.css';
import { Section } from '../../parts/section.tsx';
import { TerminalLines } from '../applications/terminal-lines.tsx';

/** For who has the project open in a terminal already. */
export function TerminalWay() {
  return (
    <Section title="Or from a terminal">
      <div className="stack way">
        <TerminalLines />
      </div>
    </Section>
  );
}
