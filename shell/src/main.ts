// The asynchronous boundary module federation needs before anything shared is used.
import('./bootstrap.tsx')
