import { useEffect, useEffectEvent } from 'react';
import { Button } from './button.tsx';

interface PagerProps {
  list: { currentPage: number; totalPages: number };
  onPage: (page: number) => void;
}

/** Nothing where one page is all. A page that is beyond the last, since something was deleted, leads to that one. */
export function Pager({ list: { currentPage, totalPages }, onPage }: PagerProps) {
  const lastPage = Math.max(1, totalPages);
  const turnTo = useEffectEvent(onPage);
  useEffect(() => {
    if (currentPage > lastPage) turnTo(lastPage);
  }, [currentPage, lastPage]);
  if (totalPages <= 1) return null;
  return (
    <nav aria-label="Pages" className="actions pager">
      <Button disabled={currentPage <= 1} onClick={() => onPage(currentPage - 1)}>
        Previous
      </Button>
      <span className="meta">
        Page {currentPage} of {totalPages}
      </span>
      <Button disabled={currentPage >= totalPages} onClick={() => onPage(currentPage + 1)}>
        Next
      </Button>
    </nav>
  );
}
