import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

const Scope = createContext('shell')

/**
 * The area of one remote. Its style sheet holds only in here and in the dialogs and menus opened from here.
 * The shell wraps each remote in one; a remote does not need it.
 */
export function RemoteArea({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <Scope value={name}>
      <div data-remote={name} className={className}>
        {children}
      </div>
    </Scope>
  )
}

/** Draws its children at the end of the page, still under the styles of the remote they belong to. */
export function Portal({ children }: { readonly children: ReactNode }) {
  const name = useContext(Scope)
  return createPortal(<div data-remote={name}>{children}</div>, document.body)
}
