import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, toast } from '@balcao/ui/parts'
import { Navigate, Route, Routes, useNavigate } from '@balcao/ui/router'
import { FileQuestionMark } from 'lucide-react'
import { useEffect } from 'react'
import type { RemoteDefinition } from '../remotes/definitions.ts'
import { RemoteView } from '../remotes/RemoteView.tsx'
import { isOpenTo } from './menu.ts'

interface PagesProps {
  readonly remotes: readonly RemoteDefinition[]
  readonly profile: string
}

/** The routes that the remotes bring. */
export function Pages({ remotes, profile }: PagesProps) {
  const t = useTexts('shell')
  return (
    <Routes>
      {remotes.flatMap(remote =>
        remote.routes.map(route => (
          <Route
            key={route}
            path={route}
            element={
              canOpen(remote, route, profile) ? (
                // Without the key the remote before would stay mounted.
                <RemoteView key={remote.name} remote={remote} label={getPageLabel(remote, route, t)} />
              ) : (
                <Denied />
              )
            }
          />
        )),
      )}
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** A page is as open as its menu entry; a page without one is for everybody signed in. The server decides anyway. */
function canOpen(remote: RemoteDefinition, route: string, profile: string) {
  const entry = findMenuEntry(remote, route)
  return entry === undefined || isOpenTo(entry, profile)
}

function getPageLabel(remote: RemoteDefinition, route: string, t: (key: string) => string) {
  const entry = findMenuEntry(remote, route) ?? remote.menu[0]
  return entry ? t(entry.labelKey) : remote.name
}

function findMenuEntry(remote: RemoteDefinition, route: string) {
  return remote.menu.find(entry => route === entry.path || (entry.path !== '/' && route.startsWith(`${entry.path}/`)))
}

function Denied() {
  const t = useTexts('shell')
  useEffect(() => {
    toast.error(t('denied.toast'))
  }, [t])
  return <Navigate to="/tickets" replace />
}

function NotFound() {
  const t = useTexts('shell')
  const navigate = useNavigate()
  return (
    <EmptyState icon={FileQuestionMark} title={t('remote.notFound')} text={t('remote.notFoundText')}>
      <Button onClick={() => void navigate('/tickets')}>{t('remote.home')}</Button>
    </EmptyState>
  )
}
