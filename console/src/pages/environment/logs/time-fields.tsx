import { useId } from 'react';
import type { LogRequest, LogTime } from './log-request.ts';
import { fromLocalInput, toLocalInput } from './local-input.ts';

interface TimeFieldsProps {
  request: LogRequest;
  onTime: (time: LogTime) => void;
  onFrom: (instant: string) => void;
  onTo: (instant: string) => void;
}

const names: Record<LogTime, string> = {
  '': 'Live',
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  between: 'Between…',
};

export function TimeFields({ request: { time, from, to }, onTime, onFrom, onTo }: TimeFieldsProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>
        <span className="visually-hidden">Time</span>
        <select id={id} value={time} onChange={(event) => onTime(event.target.value as LogTime)}>
          {Object.entries(names).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {time === 'between' && (
        <>
          <MomentField label="From" instant={from} onInstant={onFrom} />
          <MomentField label="To" instant={to} onInstant={onTo} />
        </>
      )}
    </>
  );
}

interface MomentFieldProps {
  label: string;
  instant: string;
  onInstant: (instant: string) => void;
}

function MomentField({ label, instant, onInstant }: MomentFieldProps) {
  return (
    <label>
      <span className="meta">{label}</span>
      <input
        type="datetime-local"
        value={toLocalInput(instant)}
        onChange={(event) => onInstant(fromLocalInput(event.target.value))}
      />
    </label>
  );
}
