import { addTexts, textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { Navigate } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { useEffect } from 'react'
import pt from '../locales/pt.json'
import { DashboardPage } from './stats/DashboardPage.tsx'

addTexts('dashboard', { pt, en: () => import('../locales/en.json'), es: () => import('../locales/es.json') })

/** The remote of the dashboard; for admins only (spec 1 §2). */
export default function App() {
  const { profile } = useUser()
  return profile === 'admin' ? <DashboardPage /> : <Refused />
}

function Refused() {
  useEffect(() => {
    toast.error(textsOf('dashboard')('onlyAdmins'), { key: 'onlyAdmins' })
  }, [])
  return <Navigate to="/tickets" replace />
}
