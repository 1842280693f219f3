import type { ReactNode } from 'react'

/** One key. `<Kbd>Ctrl</Kbd> <Kbd>K</Kbd>` */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd className="b-kbd">{children}</kbd>
}
