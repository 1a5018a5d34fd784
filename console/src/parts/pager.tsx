import { Button } from './button.tsx';

interface PagerProps {
  list: { currentPage: number; totalPages: number };
  onPage: (page: number) => void;
}

/** Nothing where one page is all. */
export function Pager({ list: { currentPage, totalPages }, onPage }: PagerProps) {
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
