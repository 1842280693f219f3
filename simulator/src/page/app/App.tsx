// The whole page: bar on top, phones side by side or on a wall, what happened on the right.
import { TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { clearError, useView } from './client.ts'
import { Phone } from './Phone.tsx'
import { Timeline } from './Timeline.tsx'
import { TopBar } from './TopBar.tsx'
import { Wall } from './Wall.tsx'

export function App() {
  const { phones, happenings, scans, connected, error } = useView()
  const [place, setPlace] = usePlace()
  return (
    <div className="page">
      <TopBar phones={phones} place={place} onPlace={setPlace} />
      {place === 'wall' && (
        <Wall phones={phones.filter(phone => phone.role === 'customer')}>
          <Timeline happenings={happenings} connected={connected} />
        </Wall>
      )}
      {place === 'phones' && <Row phones={phones.filter(phone => !phone.crowd)} scans={scans} connected={connected} />}
      {place === 'phones' && <Timeline happenings={happenings} connected={connected} />}
      {error && <Toast text={error} />}
    </div>
  )
}

/** Where the page is; the address keeps it. */
export type PageView = 'phones' | 'wall'

const WALL = '#parede'

function usePlace(): [PageView, (place: PageView) => void] {
  const [hash, setHash] = useState(() => location.hash)
  return [
    hash === WALL ? 'wall' : 'phones',
    place => {
      history.replaceState(null, '', place === 'wall' ? WALL : location.pathname)
      setHash(location.hash)
    },
  ]
}

function Row({ phones, scans, connected }: Pick<ReturnType<typeof useView>, 'phones' | 'scans' | 'connected'>) {
  return (
    <main className="phones" aria-label="Telefones" tabIndex={-1}>
      {phones.length === 0 && (
        <p className="loading">{connected ? 'Nenhum telefone ainda.' : 'Ligando os telefones…'}</p>
      )}
      {phones.map(phone => (
        <Phone key={phone.id} phone={phone} scans={scans} />
      ))}
    </main>
  )
}

function Toast({ text }: { text: string }) {
  useEffect(() => {
    const timer = setTimeout(clearError, 8000)
    return () => clearTimeout(timer)
  })
  return (
    <div className="toast" role="alert">
      <TriangleAlert size={16} strokeWidth={1.8} />
      <span>{text}</span>
      <button type="button" className="icon-button" aria-label="Fechar aviso" onClick={clearError}>
        <X size={16} strokeWidth={1.8} />
      </button>
    </div>
  )
}
