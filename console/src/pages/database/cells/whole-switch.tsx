interface WholeSwitchProps {
  isWhole: boolean;
  onChange: (isWhole: boolean) => void;
}

/** Long values in a line each, or with all of their lines. */
export function WholeSwitch({ isWhole, onChange }: WholeSwitchProps) {
  return (
    <label className="check whole-switch">
      <input type="checkbox" checked={isWhole} onChange={(event) => onChange(event.target.checked)} />
      <span>Whole values</span>
    </label>
  );
}
