import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { accent, DARK, dark, gray, LIGHT, red } from './colors.ts';

const SANS = "'Inter Variable', system-ui, sans-serif";

/** Our own look: neutral greys, one accent, hairlines, radius 8, a 4 px grid, 14 px text. */
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
    InputWrapper: {
      styles: { label: { marginBottom: 4, fontWeight: 500 }, description: { marginBottom: 6, lineHeight: 1.4 } },
    },
  },
});

/** Values that follow the colour scheme, and the measures of the shell. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--header-height': '56px', '--sidebar-width': '240px' },
  light: LIGHT,
  dark: DARK,
});
