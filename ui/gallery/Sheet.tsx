import type { ReactNode } from 'react'

/** Some parts on a page of their own. */
export function Sheet({ children }: { readonly children: ReactNode }) {
  return <div className="grid max-w-[744px] grid-cols-[minmax(0,1fr)] gap-5 p-6 max-sm:p-4">{children}</div>
}
