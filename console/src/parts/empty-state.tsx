import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Where a list has nothing yet: what would be there, and how to get it there. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="card empty">
      <h2>{title}</h2>
      {children && <div className="about">{children}</div>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}
