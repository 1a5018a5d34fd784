import { useMemo } from 'react';
import { useQuery } from '../../../lib/router.tsx';
import type { TabProps } from '../environment-page.tsx';
import { LogFilters } from './log-filters.tsx';
import { readLogRequest } from './log-request.ts';
import { LogScreen } from './log-screen.tsx';

/** The address holds what is shown, so that it can be sent to somebody. */
export function LogsTab({ environment, application }: TabProps) {
  const [severity, setSeverity] = useQuery('severity');
  const [text, setText] = useQuery('text');
  const [time, setTime] = useQuery('time');
  const [from, setFrom] = useQuery('from');
  const [to, setTo] = useQuery('to');
  const request = useMemo(() => readLogRequest({ severity, text, time, from, to }), [severity, text, time, from, to]);
  return (
    <div className="stack env-log">
      <LogFilters
        request={request}
        onSeverities={(chosen) => setSeverity(chosen.join(','))}
        onTime={(chosen) => {
          setTime(chosen);
          if (chosen === 'between') return;
          setFrom('');
          setTo('');
        }}
        {...{ onText: setText, onFrom: setFrom, onTo: setTo }}
      />
      <LogScreen key={JSON.stringify(request)} {...{ environment, application, request }} />
    </div>
  );
}
