import '../../../parts/segments.css';
import { severities, type Severity } from '@lilac/contract/states';
import { useEffect, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { type LogRequest, type LogTime, toggleSeverity } from './log-request.ts';
import { TimeFields } from './time-fields.tsx';

interface LogFiltersProps {
  request: LogRequest;
  onSeverities: (chosen: Severity[]) => void;
  onText: (text: string) => void;
  onTime: (time: LogTime) => void;
  onFrom: (instant: string) => void;
  onTo: (instant: string) => void;
}

const names: Record<Severity, string> = {
  DEBUG: 'Debug',
  INFO: 'Info',
  WARN: 'Warning',
  ERROR: 'Error',
  FATAL: 'Fatal',
};

/** What the platform looks for, among all lines that are kept. */
export function LogFilters({ request, onSeverities, onText, ...times }: LogFiltersProps) {
  return (
    <div className="toolbar env-log-filters" role="group" aria-label="What is shown">
      <TextFilter text={request.text} onText={onText} />
      <TimeFields request={request} {...times} />
      <div className="segments env-log-severities" role="group" aria-label="Severity">
        {severities.map((severity) => (
          <Button
            key={severity}
            aria-pressed={request.severities.includes(severity)}
            onClick={() => onSeverities(toggleSeverity(request.severities, severity))}
          >
            {names[severity]}
          </Button>
        ))}
      </div>
    </div>
  );
}

const PAUSE_MS = 400;

/** Asked for when somebody stops typing. What the address says wins where it changes by other means. */
function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [told, setTold] = useState(text);
  if (text !== told) {
    setTold(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => onText(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label className="grows">
      <span className="visually-hidden">Only lines with</span>
      <input
        type="search"
        placeholder="Only lines with…"
        value={typed}
        maxLength={1000}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}
