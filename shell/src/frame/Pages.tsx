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
  const toLabel = useTexts('menu')
  return (
    <Routes>
      {remotes.flatMap(remote =>
        remote.pages.map(page => (
          <Route
            key={page.route}
            path={page.route}
            element={
              // A page is as open as its menu entry. The server decides anyway.
              isOpenTo(page, profile) ? (
                // Without the key the remote before would stay mounted.
                <RemoteView key={remote.name} remote={remote} label={toLabel(page.path)} />
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
