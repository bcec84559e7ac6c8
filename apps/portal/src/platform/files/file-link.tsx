import { type ReactNode, useEffect, useState } from 'react';
import classes from './file-link.module.css';
import { revokeUrlLater } from './save-file.ts';

interface FileLinkProps {
  file: Blob;
  fileName: string;
  children: ReactNode;
}

/** A link that saves a file which was made in this tab. */
export function FileLink({ file, fileName, children }: FileLinkProps) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => revokeUrlLater(made);
  }, [file]);
  return (
    <a className={classes.link} href={address} download={fileName}>
      {children}
    </a>
  );
}
