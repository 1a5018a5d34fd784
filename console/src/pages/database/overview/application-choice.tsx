import { useState } from 'react';
import { Choice } from '../../../parts/choice.tsx';
import { Picker } from '../../../parts/picker/picker.tsx';
import { type Application, useApplications } from './use-applications.ts';

interface ApplicationChoiceProps {
  chosen: Application;
  onChosen: (application: Application) => void;
}

export function ApplicationChoice({ chosen, onChosen }: ApplicationChoiceProps) {
  const isStatic = chosen.deployment_type === 'static';
  return (
    <Choice
      label="Application"
      value={chosen.name}
      hint={isStatic && 'It is a site of files: nothing of it runs, so only its build can use the database.'}
    >
      {(onDone) => (
        <ApplicationPicker
          onPick={(application) => {
            onChosen(application);
            onDone();
          }}
        />
      )}
    </Choice>
  );
}

function ApplicationPicker({ onPick }: { onPick: (application: Application) => void }) {
  const [typed, setTyped] = useState('');
  const { applications, hasMore } = useApplications(typed);
  return (
    <Picker
      label="Application"
      items={applications}
      nameOf={({ name }) => name}
      keyOf={({ id }) => id}
      render={({ slug }) => <code className="meta break">{slug}</code>}
      onPick={onPick}
      onTyped={setTyped}
      hasMore={hasMore}
      autoFocus
    />
  );
}
