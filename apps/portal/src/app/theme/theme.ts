import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { createElement } from 'react';

const accent: MantineColorsTuple = [
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

const gray: MantineColorsTuple = [
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

const dark: MantineColorsTuple = [
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

const red: MantineColorsTuple = [
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

const SANS = "'Inter Variable', system-ui, sans-serif";

/** One icon of the library, because the file with all of them would be part of the sign-in page. */
const CHEVRON = {
  rightSection: createElement(ChevronDown, { size: 16, strokeWidth: 1.75, 'aria-hidden': true }),
  rightSectionPointerEvents: 'none' as const,
};

/** Neutral grays, one accent, hairlines, radius 8, a 4 px grid, 14 px text. */
export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  black: gray[9],
  white: '#ffffff',
  fontFamily: SANS,
  headings: { fontFamily: SANS, fontWeight: '600' },
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: {
      styles: { icon: { marginInlineEnd: 10 }, body: { minWidth: 0 }, message: { overflow: 'visible' } },
    },
    Badge: { styles: { root: { textTransform: 'none', fontWeight: 500, letterSpacing: 0 } } },
    Paper: { vars: () => ({ root: { '--paper-border-color': 'var(--hairline)' } as object }) },
    List: { styles: { itemWrapper: { display: 'flex' }, itemLabel: { width: '100%', minWidth: 0 } } },
    Button: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { transition: 'fade', duration: 90 } } },
    Popover: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { transition: 'fade', duration: 90 } } },
    Tooltip: {
      defaultProps: {
        openDelay: 250,
        transitionProps: { duration: 90 },
        events: { hover: true, focus: true, touch: true },
      },
    },
    NativeSelect: { defaultProps: CHEVRON },
    Select: { defaultProps: CHEVRON },
    InputWrapper: {
      styles: { label: { marginBottom: 4, fontWeight: 500 }, description: { marginBottom: 6, lineHeight: 1.4 } },
    },
  },
});

/** Mantine's own names come first, then those that our stylesheets use. */
const LIGHT = {
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
  '--info': '#23587f',
  '--info-soft': '#f0f6fb',
  '--info-line': '#cfe0ee',
  '--warning': '#8a5a00',
  '--warning-soft': '#fdf3dc',
  '--danger': red[7],
  '--danger-soft': red[0],
  '--danger-line': red[2],
  // Badge, Alert and ThemeIcon use these in the light variant.
  '--mantine-color-gray-light': gray[2],
  '--mantine-color-gray-light-color': gray[7],
  '--mantine-color-green-light': '#e9f6ee',
  '--mantine-color-green-light-color': '#18794e',
  '--mantine-color-yellow-light': '#fdf3dc',
  '--mantine-color-yellow-light-color': '#8a5a00',
  '--mantine-color-red-light': red[0],
  '--mantine-color-red-light-color': red[7],
  '--lift': '0 8px 24px rgb(20 20 30 / 10%)',
};

const DARK = {
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
  '--info': '#9fcbee',
  '--info-soft': '#182733',
  '--info-line': '#2b455a',
  '--warning': '#e5b454',
  '--warning-soft': '#2b2313',
  '--danger': red[4],
  '--danger-soft': '#2a1716',
  '--danger-line': '#552a27',
  '--mantine-color-gray-light': '#232329',
  '--mantine-color-gray-light-color': dark[2],
  '--mantine-color-green-light': '#14281e',
  '--mantine-color-green-light-color': '#5fcf94',
  '--mantine-color-yellow-light': '#2b2313',
  '--mantine-color-yellow-light-color': '#e5b454',
  '--mantine-color-red-light': '#2a1716',
  '--mantine-color-red-light-color': red[4],
  '--lift': '0 8px 24px rgb(0 0 0 / 50%)',
};

/** These values depend on the color scheme or are sizes of the shell. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--header-height': '56px', '--sidebar-width': '240px' },
  light: LIGHT,
  dark: DARK,
});
