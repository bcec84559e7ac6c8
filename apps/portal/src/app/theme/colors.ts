import type { MantineColorsTuple } from '@mantine/core';

export const accent: MantineColorsTuple = [
  '#f3f3fe',
  '#e7e7fc',
  '#d0d0f8',
  '#b3b3f2',
  '#9d9cf0',
  '#7776e4',
  '#6160d8',
  '#5150c4',
  '#4443a8',
  '#353483',
];

export const gray: MantineColorsTuple = [
  '#fafafa',
  '#f5f5f6',
  '#ececee',
  '#e3e3e6',
  '#d1d1d6',
  '#a5a5ae',
  '#74747e',
  '#5d5d67',
  '#3c3c44',
  '#1b1b20',
];

export const dark: MantineColorsTuple = [
  '#ececef',
  '#cfcfd6',
  '#a4a4ae',
  '#7d7d88',
  '#4a4a53',
  '#33333a',
  '#26262c',
  '#141417',
  '#1b1b1f',
  '#0e0e10',
];

export const red: MantineColorsTuple = [
  '#fef3f2',
  '#fde4e2',
  '#fbcdc9',
  '#f7a8a2',
  '#f28b84',
  '#e45f56',
  '#cc3d33',
  '#c0362c',
  '#a12d25',
  '#7f2721',
];

/** Mantine's own names first, then the ones our stylesheets use. */
export const LIGHT = {
  '--mantine-color-dimmed': gray[7],
  '--mantine-color-placeholder': gray[6],
  '--mantine-color-error': red[7],
  '--mantine-color-anchor': accent[7],
  '--mantine-color-default-border': gray[4],
  '--mantine-color-disabled-color': gray[6],
  '--hairline': gray[3],
  '--surface-quiet': gray[0],
  '--surface-hover': gray[2],
  '--surface-raised': '#ffffff',
  '--surface-active': accent[1],
  '--text-active': accent[8],
  '--success': '#18794e',
  '--success-soft': '#e9f6ee',
  '--warning': '#8a5a00',
  '--warning-soft': '#fdf3dc',
  '--danger': red[7],
  '--danger-soft': red[0],
  '--danger-line': red[2],
  '--lift': '0 8px 24px rgb(20 20 30 / 10%)',
};

export const DARK = {
  '--mantine-color-text': dark[0],
  '--mantine-color-dimmed': dark[2],
  '--mantine-color-placeholder': '#8d8d98',
  '--mantine-color-error': red[4],
  '--mantine-color-anchor': accent[4],
  '--mantine-color-default': dark[8],
  '--mantine-color-default-hover': dark[6],
  '--mantine-color-default-border': '#3d3d45',
  '--hairline': '#29292f',
  '--surface-quiet': '#111114',
  '--surface-hover': '#232329',
  '--surface-raised': dark[8],
  '--surface-active': '#262547',
  '--text-active': '#bcbcf7',
  '--success': '#5fcf94',
  '--success-soft': '#14281e',
  '--warning': '#e5b454',
  '--warning-soft': '#2b2313',
  '--danger': red[4],
  '--danger-soft': '#2a1716',
  '--danger-line': '#552a27',
  '--lift': '0 8px 24px rgb(0 0 0 / 50%)',
};
