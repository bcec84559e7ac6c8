import { createFileRoute } from '@tanstack/react-router';
import { HomePanel } from './home-panel.tsx';

export const Route = createFileRoute('/_protected/_shell/')({ component: HomePanel });
