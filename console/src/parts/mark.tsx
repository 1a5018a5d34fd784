/** The name with its flower. */
export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <g className="mark-petals">
          <circle cx="16" cy="8" r="6" />
          <circle cx="24" cy="16" r="6" />
          <circle cx="16" cy="24" r="6" />
          <circle cx="8" cy="16" r="6" />
        </g>
        <circle className="mark-heart" cx="16" cy="16" r="4" />
      </svg>
      <span>Lilac</span>
    </span>
  );
}
