// The asynchronous boundary module federation needs before anything shared is used.
void import('./bootstrap.tsx')
