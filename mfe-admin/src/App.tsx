import { addTexts, textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { Navigate } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { useEffect } from 'react'
import pt from '../locales/pt.json'
import { ConnectionsPage } from './connections/ConnectionsPage.tsx'

addTexts('admin', { pt, en: () => import('../locales/en.json'), es: () => import('../locales/es.json') })

/** The remote of administration; its pages are for admins only (spec 2 §6). */
export default function App() {
  const { profile } = useUser()
  return profile === 'admin' ? <ConnectionsPage /> : <Refused />
}

function Refused() {
  useEffect(() => {
    toast.error(textsOf('admin')('onlyAdmins'), { key: 'onlyAdmins' })
  }, [])
  return <Navigate to="/tickets" replace />
}
