import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import classes from './plan-card.module.css';
import { PRICE_TEXT } from './price.ts';

/** Features of every workspace. */
const INCLUDED = ['Chat', 'Meetings', 'Tasks', 'Notes', 'Voice', 'Files', 'SMS', 'Integrations'];

/** The plan with its price. */
export function PlanCard({ children }: { children?: ReactNode }) {
  const [amount, ...unit] = PRICE_TEXT.split(' ');
  return (
    <article className={classes.card} aria-label={`${productName()} plan`}>
      <h3 className={classes.name}>{productName()}</h3>
      <p className={classes.price}>
        <span className={classes.amount}>{amount}</span> {unit.join(' ')}
      </p>
      <ul className={classes.included} aria-label="Included">
        {INCLUDED.map((name) => (
          <li key={name} className={classes.item}>
            <Icon name="check" size={16} />
            {name}
          </li>
        ))}
      </ul>
      {children}
    </article>
  );
}
