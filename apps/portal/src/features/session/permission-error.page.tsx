import { Button } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { productName } from '#platform/product/product.ts';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';

export const Route = createFileRoute('/permission_error')({ component: PermissionErrorPage });

function PermissionErrorPage() {
  return (
    <Card title="No access">
      <p className={classes.text}>
        You don't have sufficient permission to access {productName()} admin portal. Please consult with your team Owner
      </p>
      <div className={classes.row}>
        <Button component={Link} to="/logout">
          Sign out
        </Button>
        <Link to="/account" className={classes.link}>
          My account
        </Link>
        <Link to="/" className={classes.link}>
          Try again
        </Link>
      </div>
    </Card>
  );
}
