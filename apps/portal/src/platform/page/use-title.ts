import { useEffect } from 'react';
import { productName } from '#platform/product/product.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName()}`;
  }, [title]);
}
