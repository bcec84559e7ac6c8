import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import hidden from '#platform/page/visually-hidden.module.css';
import type { Choice, Places } from './choices.ts';
import classes from './palette.module.css';
import { PaletteSearch } from './palette-search.tsx';
import { useChoices } from './use-choices.ts';
import { useCommand } from './use-command.ts';
import { useRunAction } from './use-run-action.ts';
import type { TypeAheadState } from './use-type-ahead.ts';

interface PaletteProps {
  opened: boolean;
  places: readonly Places[];
  ahead: TypeAheadState;
  onClose: () => void;
  comeBack: () => void;
}

/** Every screen, every action, and people, entries and channels by name. What was typed is still there the next time. */
export function Palette({ opened, places, ahead, onClose, comeBack }: PaletteProps) {
  const [text, setText] = useState(ahead.text);
  useEffect(() => {
    ahead.isReady = true;
  }, [ahead]);
  const offered = useChoices(places, opened ? text : '');
  const chosen = useRef<Choice>(null);
  const act = useRunAction(comeBack);
  useCommand();
  const wasOpened = useRef(false);
  // What was chosen is done once the palette has gone: no dialog opens beside another.
  const finish = useEffectEvent(() => {
    const { current: choice } = chosen;
    chosen.current = null;
    if (choice === null) comeBack();
    else act(choice.action);
  });
  useEffect(() => {
    if (wasOpened.current && !opened) finish();
    wasOpened.current = opened;
  }, [opened]);

  // The text of the last time is there to be typed over; what was typed a moment ago is not.
  const greet = (field: HTMLInputElement) => {
    if (ahead.text === '') field.select();
    else field.setSelectionRange(field.value.length, field.value.length);
    ahead.text = '';
  };
  const choose = (choice: Choice) => {
    chosen.current = choice;
    offered.remember(choice);
    setText('');
    onClose();
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={640}
      padding={0}
      yOffset="min(12dvh, 120px)"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content classNames={{ content: classes.content ?? '', inner: classes.inner ?? '' }}>
        <Modal.Title className={hidden.unseen ?? ''}>Search</Modal.Title>
        <PaletteSearch {...{ text, offered, onClose }} onTextChange={setText} onFocus={greet} onChoose={choose} />
      </Modal.Content>
    </Modal.Root>
  );
}
