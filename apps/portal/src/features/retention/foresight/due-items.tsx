import { Box, Button } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { Suspense, useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { SMALL_HEIGHT, SmallButton } from '#platform/page/facts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import type { DueList } from './foresight.queries.ts';

// Few visits open the items, so their table and download are loaded on demand.
const DueItemsList = lazyComponent(async () => (await import('./due-items-list.tsx')).DueItemsList);

/** This is as high as the button that it replaces, so that nothing below moves. */
export function NoDueItems() {
  return <Box h={SMALL_HEIGHT} />;
}

/** The list has each item's location and owner, but not its content. */
export function DueItems({ list, zone }: { list: DueList; zone: string }) {
  const [isOpen, setOpen] = useState(false);
  const { many } = KIND_TEXT[list.setting];
  return (
    <>
      <SmallButton style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
        View these {many}
      </SmallButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={`Due for deletion: ${many}`} width={760}>
        {isOpen && (
          <Suspense fallback={<Skeletons rows={5} height={38} />}>
            <DueItemsList list={list} zone={zone} />
          </Suspense>
        )}
        <DialogButtons>
          <Button variant="default" data-autofocus onClick={() => setOpen(false)}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
