/**
 * The bell on the counter. Never below 20 px; `label` only where the name does not stand beside it.
 *
 * @example <Logo size={32} />
 */
export function Logo({ size = 30, label }: { readonly size?: number; readonly label?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      role={label ? 'img' : 'presentation'}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <rect width="32" height="32" rx="9" fill="#2C53A4" />
      <path d="M7.5 19.5a8.5 8.5 0 0 1 17 0z" fill="#fff" />
      <circle cx="16" cy="8.2" r="2.2" fill="#F0B23A" />
      <path d="M6.5 21.5h19a1.5 1.5 0 0 1 0 3H14l-4.2 3.3c-.4.3-.9 0-.9-.5v-2.8H6.5a1.5 1.5 0 0 1 0-3z" fill="#fff" />
    </svg>
  )
}
