import { useEffect } from 'react';
import { productName } from '#platform/product/product.ts';

/** Names the browser tab after the screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName()}`;
  }, [title]);
}
