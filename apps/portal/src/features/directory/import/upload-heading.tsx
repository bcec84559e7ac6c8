import { type ReactNode, useEffect, useRef } from 'react';
import classes from './upload.module.css';

interface StepHeadingProps {
  children: ReactNode;
  /** One or two sentences below it. */
  text?: ReactNode;
}

/** Begins a step: it takes the focus, so that keyboard and screen reader go on from here. */
export function StepHeading({ children, text }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.head}>
      <h3 ref={heading} tabIndex={-1} data-autofocus className={classes.heading}>
        {children}
      </h3>
      {text !== undefined && <p className={classes.text}>{text}</p>}
    </div>
  );
}
