import { Box, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PICTURE_TYPES } from '@steward/contract/api/endpoint';
import { NAME_MAX, PICTURE_MAX } from '@steward/contract/api/limits';
import type { Names, User } from '@steward/contract/users';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import unseen from '#platform/page/visually-hidden.module.css';
import { FormError } from '#workspace/page/card.tsx';
import { UserAvatar } from '#workspace/users/user-avatar.tsx';
import classes from './account.module.css';
import { useRemovePicture, useSavePicture, useSaveProfile } from './account.queries.ts';
import { Section } from './section.tsx';

const toNames = ({ first_name, last_name }: User): Names => ({ first_name, last_name });

export function ProfileSection({ user }: { user: User }) {
  const save = useSaveProfile();
  const form = useForm({ initialValues: toNames(user) });
  const submit = (body: typeof form.values) =>
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          form.setInitialValues(toNames(saved));
          form.reset();
          showSuccess('Your name was saved');
        },
      },
    );
  return (
    <Section title="Profile" description="Your name and picture are shown in all your teams.">
      <PictureField user={user} />
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          {save.error !== null && !save.isPending && <FormError>{save.error.message}</FormError>}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="First name"
              autoComplete="given-name"
              maxLength={NAME_MAX}
              {...form.getInputProps('first_name')}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              maxLength={NAME_MAX}
              {...form.getInputProps('last_name')}
            />
          </SimpleGrid>
          <Group>
            <FocusableButton type="submit" isDisabled={!form.isDirty()} isBusy={save.isPending}>
              Save name
            </FocusableButton>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** A chosen file is previewed first, and uploaded when it is saved. */
function PictureField({ user }: { user: User }) {
  const { chosen, problem, choose, save, remove, cancel, isSaving, button, ...input } = usePicture();
  const hint = useId();
  // Both times are equal if the account never had a picture.
  const hadPicture = user.last_picture_update > user.create_at;
  return (
    <Group align="flex-start" mb={16}>
      {chosen === null ? (
        <UserAvatar user={user} size={72} key={user.last_picture_update} />
      ) : (
        <Box
          component="img"
          w={72}
          h={72}
          bdrs="50%"
          flex="none"
          style={{ objectFit: 'cover' }}
          src={chosen.url}
          alt="Preview"
          onError={input.reject}
        />
      )}
      <div className={classes.words}>
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {user.email}
        </Text>
        <Group gap={8} mt={8}>
          <Button ref={button} variant="default" aria-describedby={hint} onClick={input.open}>
            {chosen === null ? 'Choose picture' : 'Choose another'}
          </Button>
          {chosen === null ? (
            hadPicture && (
              <Button variant="subtle" onClick={remove}>
                Remove picture
              </Button>
            )
          ) : (
            <>
              <FocusableButton isDisabled={false} isBusy={isSaving} onPress={save}>
                Save picture
              </FocusableButton>
              <Button variant="subtle" onClick={cancel}>
                Cancel
              </Button>
            </>
          )}
        </Group>
        <Text id={hint} c="dimmed" fz={13} mt={8}>
          PNG, JPEG or WebP, at most 5 MB. The middle is shown.
        </Text>
        {problem !== undefined && (
          <Box mt={8}>
            <FormError>{problem}</FormError>
          </Box>
        )}
      </div>
      <input
        ref={input.file}
        className={unseen.unseen}
        type="file"
        accept={PICTURE_TYPES.join(',')}
        aria-label="Picture file"
        tabIndex={-1}
        onChange={(event) => choose(event)}
      />
    </Group>
  );
}

const WRONG_TYPE = "This file can't be read as a picture. Choose a PNG, JPEG or WebP image.";
const TOO_LARGE = 'This file is larger than 5 MB. Choose a smaller one.';

function findProblem({ type, size }: File): string | undefined {
  if (!PICTURE_TYPES.some((accepted) => accepted === type)) return WRONG_TYPE;
  return size > PICTURE_MAX ? TOO_LARGE : undefined;
}

function usePicture() {
  const file = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useChosenFile();
  const [problem, setProblem] = useState<string>();
  const saving = useSavePicture();
  const removing = useRemovePicture();
  const finish = (text?: string) => {
    setChosen(null);
    setProblem(undefined);
    if (text !== undefined) showSuccess(text);
    // The pressed buttons have disappeared.
    button.current?.focus();
  };
  // Nothing is disabled while it is saved: a disabled button would lose the focus.
  const isBusy = saving.isPending || removing.isPending;
  const fail = ({ message }: { message: string }) => setProblem(message);
  return {
    chosen,
    problem,
    file,
    button,
    isSaving: saving.isPending,
    open: () => {
      if (!isBusy) file.current?.click();
    },
    choose: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      const picked = currentTarget.files?.[0];
      // Clearing the value lets the user choose the same file again.
      currentTarget.value = '';
      if (picked === undefined) return;
      const found = findProblem(picked);
      setProblem(found);
      setChosen(found === undefined ? picked : null);
    },
    reject: () => {
      setChosen(null);
      setProblem(WRONG_TYPE);
    },
    save: () =>
      chosen &&
      !isBusy &&
      saving.mutate(chosen.file, { onSuccess: () => finish('Your picture was saved'), onError: fail }),
    remove: () =>
      !isBusy && removing.mutate({}, { onSuccess: () => finish('Your picture was removed'), onError: fail }),
    cancel: () => !isBusy && finish(),
  };
}

/** The URL of the preview is revoked when the file is replaced. */
function useChosenFile(): [{ file: File; url: string } | null, (file: File | null) => void] {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.url)), [chosen]);
  return [chosen, (file) => setChosen(file && { file, url: URL.createObjectURL(file) })];
}
