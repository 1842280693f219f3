// What PrimeReact 10 tells assistive technology twice or in the wrong place. Only the focusable input speaks.
const silent = { 'aria-hidden': true, 'aria-label': undefined, role: undefined } as const

export const accessible = {
  root: { 'aria-activedescendant': undefined, 'aria-label': undefined, 'aria-describedby': undefined },
  select: { 'aria-hidden': true },
  trigger: { ...silent, 'aria-haspopup': undefined, 'aria-expanded': undefined },
} as const
