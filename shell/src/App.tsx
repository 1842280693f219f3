import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { defineLatePart, Toasts } from '@balcao/ui/parts'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from '@balcao/ui/router'
import { useSession } from '@balcao/ui/session'
import { useLayoutEffect, useRef } from 'react'
import { ForcedChange } from './account/AccountDialogs.tsx'
import { Frame } from './frame/Frame.tsx'
import { openMenuAtFirst } from './frame/use-menu-open.ts'
import { useBoot } from './session/boot.ts'
import { Waiting } from './session/Waiting.tsx'

/** Who is signed in never fetches it. */
const SignInPage = defineLatePart(
  () => import(/* webpackChunkName: "lazy-signin" */ './signin/SignInPage.tsx'),
  'inline',
)

/** The host: decides between sign-in and the desk, and draws what belongs to neither. */
export function App() {
  useBoot()
  return (
    <BrowserRouter useTransitions={false}>
      <Gate />
      <Toasts />
    </BrowserRouter>
  )
}

/** Private pages send strangers to /login and back to where they wanted to go (spec 1 §2). */
function Gate() {
  const { status, user } = useSession()
  const location = useLocation()
  // Who has just signed in goes to the conversations; who opens /login while signed in, to the start page.
  const signedInHere = useRef(false)
  if (status === 'out') signedInHere.current = true
  // Where one person was is no page the next one asked for.
  const left = useRef(false)
  if (status === 'in') left.current = true
  if (status === 'unknown') return <Waiting />
  if (status === 'in' && user?.mustChangePassword) return <ForcedChange />
  if (status === 'in' && user) {
    const wanted: unknown = location.state
    const home = user.profile !== 'admin' ? '/tickets' : signedInHere.current ? null : '/'
    const landing = typeof wanted === 'string' && wanted !== '/tickets' ? wanted : home
    return (
      <Routes>
        <Route path="/login" element={landing === null ? <Home /> : <Navigate to={landing} replace />} />
        {/* Whoever comes has a frame of their own. */}
        <Route path="*" element={<Frame key={user.id} />} />
      </Routes>
    )
  }
  return (
    <Routes>
      <Route path="/login" element={<SignInPage />} />
      <Route
        path="*"
        element={<Navigate to="/login" replace state={left.current ? null : getLandingPage(location)} />}
      />
    </Routes>
  )
}

/** Who does not hear of the first steps by then begins with the conversations, ms. */
const PATIENCE_MS = 5000

/** Where an administrator begins: at the first steps of the company until they are over. */
function Home() {
  const { now, error } = useQuery('first-steps', () =>
    api('GET /first-steps', { signal: AbortSignal.timeout(PATIENCE_MS) }),
  )
  const isBeginning = now?.isOver === false
  useLayoutEffect(() => {
    if (isBeginning) openMenuAtFirst()
  }, [isBeginning])
  if (now === null && error === null) return null
  return <Navigate to={isBeginning ? '/first-steps' : '/tickets'} replace />
}

/** After a plain visit sign-in leads to the conversations; after a deep link, to where it pointed, such as one message. */
function getLandingPage({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) {
  return pathname === '/' ? '/tickets' : pathname + search + hash
}
